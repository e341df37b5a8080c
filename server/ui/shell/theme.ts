import { createTheme } from '@mantine/core';

/**
 * Differences from Mantine's default theme. Colours and fonts are CSS variables in `base.css`,
 * because Mantine would write those of a theme into a style element.
 */
export const theme = createTheme({
  autoContrast: true,
  primaryColor: 'cyan',
  primaryShade: 9,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Drawer: { defaultProps: { lockScroll: false } },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
});
