import { foldText, wordsOf } from '../../db/fold.ts';
import type { SettingChange, StoredEvent } from '../../db/model.ts';
import { type Team, teamMatcher } from '../../db/team-filter.ts';
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

/** Words for a group that name it alone; the others need a number, or a word before them. */
const groupForm = new RegExp(
  `(?<!\\p{L})(?:${oneOf(
    teamWords.filter(
      (word) =>
        !/^(?:mixed|reserves|firsts|seconds|thirds|XI|AH|team|mannschaft|équipe|loisirs|ploeg|elftal|mixte|gemengd|aktive)/iu.test(
          word,
        ),
    ),
  )})(?!\\p{L})`,
  'iu',
);

/** Returns the text by which a name names its team or group; undefined if it names none. */
function findTeamText(name: string): string | undefined {
  for (const form of [...numberedForms, groupForm]) {
    const [found] = form.exec(name) ?? [];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** The texts of events, whose names are looked at again after each change of another one. */
const knownTexts = new WeakMap<StoredEvent, string | undefined>();

function teamTextOf(event: StoredEvent): string | undefined {
  if (!knownTexts.has(event)) knownTexts.set(event, findTeamText(event.name));
  return knownTexts.get(event);
}

/** A team that the names of events suggest. */
export type SuggestedTeam = Pick<Team, 'name' | 'words' | 'without'> & { readonly events: number };

/** The fewest events of a group, and the fewest groups, that suggest teams. */
const fewest = { events: 5, groups: 2 } as const;

/** Finds the teams that names of events repeat, largest first; none if that are fewer than two. */
export function suggestTeams(events: readonly StoredEvent[]): readonly SuggestedTeam[] {
  const texts = events.flatMap((event) => teamTextOf(event) ?? []);
  const groups = Map.groupBy(texts, (text) => foldText(text).replaceAll(/[ .-]/g, ''));
  const found = [...groups.values()]
    .filter(({ length }) => length >= fewest.events)
    .toSorted((one, other) => other.length - one.length)
    .map((forms) => {
      const byWords = Map.groupBy(forms, (form) => wordsOf(form).join(' '));
      const often = [...byWords.values()].toSorted((one, other) => other.length - one.length);
      return { name: often[0]?.[0] ?? '', forms: often.flatMap(([form]) => form ?? []) };
    });
  if (found.length < fewest.groups) return [];
  return found.map(({ name, forms }) => {
    // "Ladies" without "Ladies 2", which is a team of its own.
    const narrower = found.filter(
      (other) =>
        other.name !== name && teamMatcher({ ...anyEvent, words: name })(asEvent(other.name)),
    );
    const words = forms.join(', ');
    const without = narrower.flatMap((other) => other.forms).join(', ');
    const isIn = teamMatcher({ ...anyEvent, words, without });
    return { name, words, without, events: events.filter(isIn).length };
  });
}

const anyEvent = { words: '', without: '', place: '', eventType: null } as const;

const asEvent = (name: string) => ({ name, location: '', eventType: null });

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
