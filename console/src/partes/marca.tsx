import { Group, Text } from '@mantine/core';

/** The pouch in which documents travel; drawn here so that it takes no request. */
export function Simbolo({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
      <rect x="3" y="9" width="42" height="32" rx="8" fill="#14646a" />
      <path d="M3 17a8 8 0 0 1 8-8h26a8 8 0 0 1 8 8v1.5L27.6 28.6a7 7 0 0 1-7.2 0L3 18.5Z" fill="#2f8a90" />
      <path
        d="M4 20 20.4 29.2a7 7 0 0 0 7.2 0L44 20"
        fill="none"
        stroke="#e8f5f5"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path d="M21.5 24v-1.2a2.5 2.5 0 0 1 5 0V24" fill="none" stroke="#f2b84b" strokeWidth="2" />
      <rect x="19.5" y="24" width="9" height="10.5" rx="2.6" fill="#f2b84b" />
      <circle cx="24" cy="29" r="1.5" fill="#14646a" />
    </svg>
  );
}

export function Marca({ size = 30 }: { size?: number }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Simbolo size={size} />
      <Text span fw={700} fz={size * 0.66} lh={1} style={{ letterSpacing: '-0.02em' }}>
        Malote
      </Text>
    </Group>
  );
}
