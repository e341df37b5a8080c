import type { Front } from '../errors.ts';

/** Texts that differ between the command line and the window, such as those that name options. */
type Wording = {
  readonly fieldRemedy: (field: string) => string;
  readonly dateOrderRemedy: string;
  readonly encodingRemedy: string;
  readonly formatRemedy: (formats: string) => string;
  readonly exportFormatRemedy: (formats: string) => string;
  readonly bound: (name: 'from' | 'to', flaw: string) => string;
  readonly expiry: (flaw: string) => string;
  readonly unknownUser: (name: string) => string;
  readonly knownUser: (name: string) => string;
  readonly unknownKey: (id: number) => string;
  readonly unknownImport: (id: number) => string;
  readonly undoneBefore: (id: number, by: number) => string;
  readonly undoLaterFirst: string;
};

export const wording: Readonly<Record<Front, Wording>> = {
  commandLine: {
    fieldRemedy: (field) => `say which one it is with --map ${field}=COLUMN`,
    dateOrderRemedy: 'say it with --date-order dmy or --date-order mdy',
    encodingRemedy: ', or say how it is written with --encoding NAME',
    formatRemedy: (formats) => `say what it is with --format ${formats}`,
    exportFormatRemedy: (formats) => `Say how to write the events with --format ${formats}.`,
    bound: (name, flaw) => `--${name}: ${flaw}`,
    expiry: (flaw) => `--expires: ${flaw}`,
    unknownUser: (name) =>
      `There is no user "${name}"; see "club-events user list", or add it with "club-events user add NAME".`,
    knownUser: (name) => `There is a user "${name}" already; choose another name.`,
    unknownKey: (id) => `There is no key with the id ${id}; see "club-events key list".`,
    unknownImport: (id) => `There is no import ${id}; see "club-events history --user NAME".`,
    undoneBefore: (id, by) =>
      `Import ${id} was taken back before, as ${by}; "club-events undo ${by}" brings it back.`,
    undoLaterFirst: 'take the later changes back first (see "club-events history")',
  },
  window: {
    fieldRemedy: () => 'choose which one it is',
    dateOrderRemedy: 'choose which of them comes first',
    encodingRemedy: '',
    formatRemedy: () => 'choose a file whose name does',
    exportFormatRemedy: () => 'Choose how to write the events.',
    bound: (_, flaw) => flaw,
    expiry: (flaw) => flaw,
    unknownUser: (name) => `There is no club "${name}" any more.`,
    knownUser: (name) => `There is a club "${name}" already; choose another name.`,
    unknownKey: () => 'This key is not there any more.',
    unknownImport: () => 'This import is not in the history any more.',
    undoneBefore: () => 'This was taken back before; taking that back brings it in again.',
    undoLaterFirst: 'take the later changes back first (see the history)',
  },
};
