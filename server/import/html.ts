/** Elements of texts of calendar programs; any other word in angle brackets is a part of the text. */
const names =
  'a|abbr|b|big|blockquote|body|br|center|code|dd|del|div|dl|dt|em|font|h[1-6]|head|hr|html|html-blob|i|img|ins|label|li|meta|o:p|ol|p|pre|s|small|span|strike|strong|style|sub|sup|table|tbody|td|th|thead|title|tr|tt|u|ul';
const tagForm = new RegExp(`<!doctype[^<>]*>|<(/?)(${names})(?=\\s|/?>)([^<>]*)>`, 'gi');

/** Elements that begin and end on a line of their own. */
const blocks = /^(?:blockquote|center|dd|div|dl|dt|h\d|hr|li|ol|p|pre|table|tr|ul)$/;

/** Entities for characters; the rest of their names is left as it is. */
const entities: ReadonlyMap<string, string> = new Map(
  'nbsp:\u00a0 amp:& lt:< gt:> quot:" apos:\' auml:ä ouml:ö uuml:ü Auml:Ä Ouml:Ö Uuml:Ü szlig:ß agrave:à acirc:â ccedil:ç eacute:é egrave:è ecirc:ê euml:ë icirc:î iuml:ï ocirc:ô oelig:œ ugrave:ù ucirc:û Agrave:À Ccedil:Ç Eacute:É Egrave:È ndash:– mdash:— hellip:… laquo:« raquo:» bdquo:„ ldquo:“ rdquo:” lsquo:‘ rsquo:’ sbquo:‚ euro:€ copy:© reg:® trade:™ deg:° middot:· bull:• times:× frac12:½ sup2:² shy:'
    .split(' ')
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities.get(name) ?? whole;
  const code = Number(name.replace(/^#x?/i, (start) => (start.length > 1 ? '0x' : '')));
  const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6}\d{0,2});/gi, decodeEntity);
}

/** Returns the address that a link adds to its text; empty if the text shows it. */
function addressOf(attributes: string, text: string): string {
  const [, quoted, single, bare] =
    /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(attributes) ?? [];
  const href = decodeEntities(quoted ?? single ?? bare ?? '').trim();
  const address = href.replace(/^(?:mailto|tel):/i, '');
  const plain = (each: string) => each.replace(/^https?:\/\/|\/$/gi, '');
  if (address === '' || href.startsWith('#') || text.includes(plain(address))) return '';
  return text.trim() === '' ? address : ` (${address})`;
}

/**
 * Returns the text of a note in HTML, which calendar programs write: elements become line breaks,
 * links addresses, and entities characters. Any other text stays as it is.
 */
export function textOfHtml(html: string): string {
  // Fast path: most texts have neither.
  if (!/[<&]/.test(html)) return html;
  const shown = html.replace(/<style\b[^<>]*>[^<]*<\/style>/gi, '');
  let text = '';
  let at = 0;
  let link: { readonly attributes: string; readonly start: number } | undefined;
  for (const { 0: tag, 1: slash, 2: found = '', 3: attributes = '', index } of shown.matchAll(
    tagForm,
  )) {
    const [name, isEnd] = [found.toLowerCase(), slash === '/'];
    text += decodeEntities(shown.slice(at, index));
    at = index + tag.length;
    if (name === 'br' || (blocks.test(name) && !/(?:^|\n)$/.test(text.slice(-1)))) text += '\n';
    if ((name === 'td' || name === 'th') && isEnd) text += ' ';
    if (name === 'li' && !isEnd) text += '- ';
    if (name !== 'a') continue;
    if (link !== undefined) text += addressOf(link.attributes, text.slice(link.start));
    link = isEnd ? undefined : { attributes, start: text.length };
  }
  text += decodeEntities(shown.slice(at));
  if (text === html) return html;
  return text
    .replaceAll('\u00a0', ' ')
    .replace(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
