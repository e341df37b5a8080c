import { createTheme } from '@mantine/core';

/**
 * What differs from Mantine's own theme. Colours and fonts are CSS variables in `base.css`, as a
 * theme's own would be written into the page as a style element.
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
