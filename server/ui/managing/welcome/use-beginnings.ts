import { goTo } from '../../place/use-place.ts';
import { perform, unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { useApplication } from '../desktop.tsx';
import { firstSteps } from '../first-steps.ts';
import { useTask } from '../parts/use-task.ts';

export type Beginnings = ReturnType<typeof useBeginnings>;

/** Returns the tasks that create a first club and show it. */
export function useBeginnings() {
  const { showClub, opened, open } = useApplication();

  const withFile = useTask(async (name: string) => {
    // Files first: no club is created if the user cancels the dialog.
    const files = opened.length > 0 ? [] : await unwrap(requireBridge().chooseFiles(null));
    if (files.length === 0 && opened.length === 0) return;
    const { id } = await perform('user add', { name });
    firstSteps.set('own');
    await showClub(id);
    open(files);
    goTo({ manage: 'import' });
  });

  const withNothing = useTask(async (name: string) => {
    const { id } = await perform('user add', { name });
    firstSteps.set('own');
    await showClub(id);
    goTo({ manage: null });
  });

  const withDemo = useTask(async () => {
    const { id } = await perform('demo add', {});
    firstSteps.set('demo');
    await showClub(id);
  });

  const error = withFile.error ?? withNothing.error ?? withDemo.error;
  return { withFile, withNothing, withDemo, error };
}
