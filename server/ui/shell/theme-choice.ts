import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';

export type Theme = MantineColorScheme;
export const themes = ['auto', 'light', 'dark'] as const satisfies readonly Theme[];

/** The theme that was chosen, and how to choose another; it is kept wherever the page runs. */
export function useThemeChoice(): readonly [Theme, (theme: Theme) => void] {
  // Turning transitions off for a moment would take a style element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return [colorScheme, setColorScheme];
}
