import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorScheme,
  Select,
  useMantineColorScheme,
} from '@mantine/core';

export type Theme = MantineColorScheme;
export const themes = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];

/** Returns the chosen theme, and a function that changes and stores it. */
export function useThemeChoice(): readonly [Theme, (theme: Theme) => void] {
  // Suppressing transitions would need a style element, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return [colorScheme, setColorScheme];
}

/** Closes at once: until the end of a transition, keys would still belong to the overlay. */
const quickExit = (transition: 'fade-down' | 'fade', duration: number) => ({
  defaultProps: { transitionProps: { transition, duration, exitDuration: 0 } },
});

/**
 * Differences from Mantine's default theme. Colours and fonts are CSS variables in `base.css`,
 * because Mantine would write those of a theme into a style element.
 */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  variantColorResolver(input) {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.variant === 'filled' && (input.color ?? 'cyan') === 'cyan';
    // In the dark theme the brand colour is light, and its text dark.
    return isPrimary ? { ...colors, color: 'var(--on-brand)' } : colors;
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ModalRoot: quickExit('fade-down', 200),
    Menu: quickExit('fade', 150),
    Popover: quickExit('fade', 150),
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Drawer: { defaultProps: { lockScroll: false } },
    // As with the Tab key, so that what is typed takes the place of the present choice.
    Select: Select.extend({
      defaultProps: { onClick: ({ currentTarget }) => currentTarget.select() },
    }),
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
});
