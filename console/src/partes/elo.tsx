import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** A link inside the console. */
export function Elo({ para, children, ...props }: AnchorProps & { para: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={para} {...props}>
      {children}
    </Anchor>
  );
}
