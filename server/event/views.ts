import type { SettingChange } from '../../db/model.ts';
import { oneOf } from '../dates/vocabulary.ts';

/** Words for teams and groups in English, German, French and Dutch, as regular expressions. */
const teamWords =
  `men|women|ladies|gents|boys|girls|mixed|juniors?|seniors?|veterans?|vets|youth|colts|reserves?|firsts?|seconds?|thirds?|XI|team|
herren|damen|männer|frauen|mädchen|jungen|jugend|\\p{L}-?jugend|jugendliche|junioren|juniorinnen|senioren|seniorinnen|knaben|buben|bambini|minis?|schüler|schülerinnen|mannschaft|aktive|alte herren|AH|
hommes|femmes|messieurs|dames|garçons|filles|mixte|jeunes|cadets?|cadettes?|minimes|benjamins?|benjamines?|poussins?|poussines?|vétérans|équipe|espérances|loisirs?|
heren|jongens|meisjes|jeugd|gemengd|pupillen|junioren|senioren|aspiranten|welpen|ploeg|elftal|recreanten`.split(
    /\|\s*/,
  );
const teamForm = new RegExp(
  `(?<!\\p{L})(?:${oneOf(teamWords)}|[uü] ?-?\\d{1,2}[a-z]?|[mwfhd]\\d{1,2})(?!\\p{L})`,
  'iu',
);

/** Returns true for a text, such as the name of a sheet, that names a team or a group. */
export const namesTeam = (text: string): boolean => teamForm.test(text);

/** The names of teams in the names of events: "U15", "Ü 40", "Herren 2", "2nd team". */
const numberedForms = [
  /(?<![\p{L}\d])[uü] ?-?\d{1,2}(?!\d)(?: ?[a-d](?![\p{L}\d]))?/iu,
  /(?<!\p{L})(?:herren|damen|senioren|men|women|ladies|heren|dames|hommes|femmes|team|équipe) ?(?:\d|i{1,3}(?!\p{L}))/iu,
  /(?<!\d)\d(?:st|nd|rd|th|e|er|ère|\.)? (?:team|mannschaft|équipe|elftal)/iu,
];

/** Returns the team that the name of an event names; empty if it names none. */
export function teamOf(name: string): string {
  for (const form of numberedForms) {
    const [team] = form.exec(name) ?? [];
    if (team !== undefined) return team.toLowerCase().replaceAll(/[ .-]/g, '');
  }
  return '';
}

/** Returns the key of the words for the change of a team; undefined for another name or setting. */
export function teamChange({ setting, before, after }: SettingChange) {
  if (setting !== 'team') return undefined;
  if (before === null) return 'teamAdded';
  if (after === null) return 'teamRemoved';
  return before === after ? 'teamChanged' : undefined;
}

/** The longest mark of a team. */
const maxLetters = 3;

/** Returns the letters of the mark of a team: "U15", "H2" for "Herren 2", "FT" for "First team". */
export function lettersOf(name: string): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const [first = '', ...others] = words;
  const short = Array.from(words.join(''));
  if (short.length <= maxLetters) return short.join('');
  if (others.length === 0) return Array.from(first).slice(0, 2).join('');
  const initials = words.map((word) => (/^\p{N}/u.test(word) ? word : (Array.from(word)[0] ?? '')));
  const letters = Array.from(initials.join('').toUpperCase());
  return letters.slice(0, maxLetters).join('');
}
