import type { Event } from '../../../http/contract.ts';
import { goTo } from '../../base/navigation.ts';
import { useTeamGap } from '../../base/team.tsx';
import { neighboursOf } from '../../data/event-queries.ts';
import { useProposals } from '../../data/proposals.ts';
import { useTeamChoice } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { focusAdded, focusInstead, useEditing } from './editor-provider.tsx';
import { closeForm } from './form-frame.tsx';
import type { EventFormState, OpenFormProps } from './form-state.ts';
import { changesOf, inputOf } from './values.ts';

/**
 * Adds, edits and removes the event of a form, or proposes that in a copy. `onAnother` is called when
 * the form begins again for another event.
 */
export function useSaving(
  form: EventFormState,
  { event: original, proposal }: Pick<OpenFormProps, 'event' | 'proposal'>,
  onAnother: () => void,
) {
  const { isNew, event, stored, series, endLine, clock } = form;
  const isProposing = useProposals() !== undefined;
  const { events } = useVisibleEvents();
  const { perform, propose, withdraw, lead, opener } = useEditing();
  const { describeEvent, describeAdded } = useChangeWords();
  const { team } = useTeamChoice();
  const gapOf = useTeamGap();
  const replaces = proposal && { replaces: proposal.id };

  const finish = () => {
    form.forget();
    closeForm();
  };
  /** Closes the form and the panel; the caller moves the focus. */
  const leavePanel = () => {
    opener.current = null;
    form.forget();
    goTo({ form: null, formDay: null, event: null });
  };
  const beginAnother = () => {
    form.beginAnother();
    onAnother();
  };

  const proposeAdding = async (isLast: boolean) => {
    await propose('proposal add', { event: inputOf(clock, stored, endLine) });
    if (isLast) finish();
    else beginAnother();
  };
  const proposeEdit = async (copied: Event) => {
    // Compared with the copy: a value that is set back is no longer proposed.
    const changes = changesOf(clock, stored, copied, endLine);
    const { id } = copied;
    if (Object.keys(changes).length > 0) {
      await propose('proposal edit', { id, changes, ...replaces });
    } else if (proposal) await withdraw(proposal.id);
    finish();
  };
  const add = async (isLast: boolean) => {
    const added = await perform(
      'event add',
      { event: inputOf(clock, stored, endLine), ...(series && { days: [...series.days] }) },
      ({ event: after, series: several }) => {
        const words =
          several === undefined ? describeEvent({ after }) : describeAdded(several.events);
        const why = team === null ? undefined : gapOf(team, after);
        return why === undefined ? words : { ...words, unlisted: { id: after.id, why } };
      },
    );
    if (!isLast) {
      beginAnother();
      return;
    }
    leavePanel();
    const { event: after } = added.result;
    await focusAdded(after, clock.dayOf(after.date), added.isShown, lead);
  };
  const edit = async (expected: Event) => {
    const changes = changesOf(clock, stored, expected, endLine);
    if (Object.keys(changes).length > 0) {
      const args = { id: expected.id, changes, expected };
      await perform('event edit', args, ({ before, event: after }) =>
        describeEvent({ before, after }),
      );
    }
    finish();
  };

  const saving = useTask(async (isLast: boolean) => {
    if (isNew || original === undefined || event === undefined) {
      await (isProposing ? proposeAdding(isLast) : add(isLast));
    } else await (isProposing ? proposeEdit(original) : edit(event));
  });
  const removing = useTask(async (removed: Event) => {
    const { id } = removed;
    if (isProposing) {
      await propose('proposal remove', { id, ...replaces });
      finish();
      return;
    }
    const { next, previous } = neighboursOf(removed, events);
    await perform('event remove', { id }, ({ event: before }) => describeEvent({ before }));
    leavePanel();
    focusInstead(next ?? previous, removed);
  });
  return { saving, removing, finish };
}
