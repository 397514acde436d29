import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Petrol: calm on a screen that is looked at all day. White text on 6 and darker has at least 5:1. */
const malote: MantineColorsTuple = [
  '#e8f5f5',
  '#d0e7e8',
  '#a3cfd1',
  '#72b6b9',
  '#4fa3a8',
  '#2f8a90',
  '#1f777d',
  '#14646a',
  '#0e5157',
  '#083e43',
];

const dark: MantineColorsTuple = [
  '#d3dadc',
  '#b8c2c5',
  '#9aa6aa',
  '#77848a',
  '#414c51',
  '#323c41',
  '#232b2f',
  '#192024',
  '#12181b',
  '#0c1113',
];

export const tema = createTheme({
  primaryColor: 'malote',
  primaryShade: { light: 7, dark: 6 },
  colors: { malote, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily:
    "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'Helvetica Neue', Arial, system-ui, sans-serif",
  fontFamilyMonospace:
    "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.15rem' },
      h3: { fontSize: '1rem' },
    },
  },
  respectReducedMotion: true,
  components: {
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Fechar' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Fechar' } } },
    Alert: { defaultProps: { closeButtonLabel: 'Fechar' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Fechar' } } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Mostrar ou esconder a senha' } },
    },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm', fz: 'sm' } },
  },
});

/** Colours that tell a state; each needs text that is readable on its own light ground, in both schemes. */
const DE_ESTADO = ['malote', 'teal', 'green', 'red', 'orange', 'yellow', 'blue', 'grape', 'violet', 'gray'];

/** Where the library's own shades stay below a contrast of 4.5:1 (WCAG AA), ours take their place. */
export const variaveis: CSSVariablesResolver = (theme) => {
  const light: Record<string, string> = {
    '--mantine-color-body': '#f5f7f7',
    '--mantine-color-text': '#1c2528',
    '--mantine-color-dimmed': '#566166',
    '--mantine-color-placeholder': '#6b767b',
    '--mantine-color-error': '#b42525',
    '--mantine-color-anchor': theme.colors.malote?.[7] ?? '',
    '--malote-folha': '#ffffff',
    '--malote-borda': '#dfe5e6',
    '--malote-suave': '#eef2f2',
  };
  const escuro: Record<string, string> = {
    '--mantine-color-dimmed': '#9aa6aa',
    '--mantine-color-placeholder': '#87939a',
    '--mantine-color-error': '#ff8f8f',
    '--mantine-color-anchor': theme.colors.malote?.[3] ?? '',
    '--malote-folha': theme.colors.dark[6],
    '--malote-borda': theme.colors.dark[4],
    '--malote-suave': theme.colors.dark[5],
  };
  for (const cor of DE_ESTADO) {
    const tons = theme.colors[cor];
    if (!tons) continue;
    light[`--mantine-color-${cor}-light`] = tons[0];
    light[`--mantine-color-${cor}-light-hover`] = tons[1];
    light[`--mantine-color-${cor}-light-color`] =
      cor === 'malote' ? tons[8] : `color-mix(in srgb, ${tons[9]} 70%, #101618)`;
    escuro[`--mantine-color-${cor}-light`] = `color-mix(in srgb, ${tons[7]} 24%, ${theme.colors.dark[6]})`;
    escuro[`--mantine-color-${cor}-light-hover`] =
      `color-mix(in srgb, ${tons[7]} 34%, ${theme.colors.dark[6]})`;
    escuro[`--mantine-color-${cor}-light-color`] = tons[2];
  }
  return { variables: {}, light, dark: escuro };
};
