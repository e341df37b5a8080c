/** A number, a word or a sign of a text, without accents and in lower case. */
export type Token = {
  readonly kind: 'number' | 'word' | 'sign';
  readonly text: string;
  /** True if a blank stands in front. */
  readonly hasGap: boolean;
  /** Range of the tokenized characters, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
};

/** Length limit in UTF-16 code units; no date is longer. */
export const maxLength = 100;

/** Characters that do not change the meaning: accents, soft hyphens, apostrophes, degree signs. */
const silent = /[\p{M}\p{Cf}'’°º]/gu;

/** Removes accents and the differences between blanks, dashes and brackets. */
export function simplify(text: string): string {
  return text
    .replace(/(?<=\d)([⁰¹²³⁴-⁹]{2})(?!\d)/gu, (minutes) => `:${minutes.normalize('NFKC')}`)
    .normalize('NFD')
    .replace(silent, '')
    .replaceAll('ᵉ', 'e')
    .replaceAll('ʳ', 'r')
    .replace(/\p{Pd}|−/gu, '-');
}

/** Returns true for a text that `simplify` leaves as it is; most are. */
function isSimple(text: string): boolean {
  return /^[ -&(-~]*$/.test(text);
}

function kindOf(text: string): Token['kind'] {
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57) return 'number';
  return (code >= 97 && code <= 122) || /^\p{L}/u.test(text) ? 'word' : 'sign';
}

/** Splits a simplified text into tokens. */
function split(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let hasGap = false;
  let start = 0;
  for (const part of text.match(/\d+|\p{L}+|[\s()[\]"]+|./gu) ?? []) {
    const isBlank = /^[\s()[\]"]/.test(part);
    const end = start + part.length;
    if (!isBlank) tokens.push({ kind: kindOf(part), text: part, hasGap, start, end });
    hasGap = isBlank;
    start = end;
  }
  return tokens;
}

/** Splits a cell into tokens; a text that is too long has none. */
export function tokenize(cell: string): readonly Token[] {
  const trimmed = cell.trim();
  if (trimmed.length > maxLength) return [];
  // Most dates need no simplification, which takes longer than everything else.
  return split((isSimple(trimmed) ? trimmed : simplify(trimmed)).toLowerCase());
}

/** Splits a line into tokens whose ranges are those of the line itself. */
export function tokenizeLine(line: string): readonly Token[] {
  if (isSimple(line)) return split(line.toLowerCase());
  let text = '';
  const origins: number[] = [];
  let at = 0;
  for (const character of line) {
    const simple = simplify(character).toLowerCase();
    for (let unit = 0; unit < simple.length; unit += 1) origins.push(at);
    text += simple;
    at += character.length;
  }
  origins.push(line.length);
  // Accents and apostrophes behind a character belong to it.
  return split(text).map((token) => ({
    ...token,
    start: origins[token.start] ?? line.length,
    end: origins[token.end] ?? line.length,
  }));
}
