import { foldText, wordsOf } from './fold.ts';
import type { FilterType, StoredEvent } from './model.ts';

/** The conditions of a team. In each text, commas separate choices; an empty text is no condition. */
export type TeamFilter = {
  /** Words of which the name of an event has one choice. */
  readonly words: string;
  /** Words of which the name has none. */
  readonly without: string;
  /** Words of which the place has one choice. */
  readonly place: string;
  /** The type; null for any. */
  readonly eventType: FilterType | null;
};

/** The numbers of the colours of marks. */
export const teamColours = [1, 2, 3, 4, 5] as const;

/** A team of a club: a filter with a name and a mark. No event knows it. */
export type Team = TeamFilter & {
  readonly name: string;
  /** At most three characters. */
  readonly letters: string;
  /** One of `teamColours`. */
  readonly colour: number;
};

/** The values of an event on which its teams depend. */
type Filtered = Pick<StoredEvent, 'name' | 'location' | 'eventType'>;

/** Returns the name of a team in the form in which two names are compared. */
export const teamKey = (name: string): string => foldText(name).replace(/\s+/gu, ' ').trim();

/** Returns the choices of a text, each as its words; none for a text without words. */
export const choicesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(',')
    .map(wordsOf)
    .filter(({ length }) => length > 0);

/** Returns true if a word is another one, or begins it. A number is whole: "U1" is not "U15". */
const fits = (word: string, found: string | undefined): boolean =>
  found !== undefined && (/\p{N}$/u.test(word) ? found === word : found.startsWith(word));

/** Returns true if the words of a choice stand in a text one after the other; the last may go on. */
const hasChoice = (text: readonly string[], choice: readonly string[]): boolean =>
  text.some((_, start) =>
    choice.every((word, at) =>
      at === choice.length - 1 ? fits(word, text[start + at]) : text[start + at] === word,
    ),
  );

/** Returns the function that finds the first condition of a team that an event does not meet. */
export function teamGap(filter: TeamFilter): (event: Filtered) => keyof TeamFilter | undefined {
  const { eventType } = filter;
  const [words, without, place] = [filter.words, filter.without, filter.place].map(choicesOf);
  const hasOne = (text: readonly string[], choices: typeof words = []) =>
    choices.some((choice) => hasChoice(text, choice));
  return (event) => {
    if (eventType !== null && (event.eventType ?? 'none') !== eventType) return 'eventType';
    const name = wordsOf(event.name);
    if (words?.length && !hasOne(name, words)) return 'words';
    if (hasOne(name, without)) return 'without';
    return place?.length && !hasOne(wordsOf(event.location), place) ? 'place' : undefined;
  };
}

/** Returns the test for the events of a team. */
export function teamMatcher(filter: TeamFilter): (event: Filtered) => boolean {
  const gapOf = teamGap(filter);
  return (event) => gapOf(event) === undefined;
}

/** Returns the conditions alone, in one order, as a key of counts, of cursors and of the SQL. */
export const filterKey = ({ words, without, place, eventType }: TeamFilter): string =>
  JSON.stringify({ words, without, place, eventType });
