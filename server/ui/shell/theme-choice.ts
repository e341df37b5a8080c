import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';

export type Theme = MantineColorScheme;
export const themes = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];

/** Returns the chosen theme, and a function that changes and stores it. */
export function useThemeChoice(): readonly [Theme, (theme: Theme) => void] {
  // Suppressing transitions would need a style element, which the content security policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return [colorScheme, setColorScheme];
}
