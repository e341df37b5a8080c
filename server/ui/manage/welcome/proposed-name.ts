/** Words for a list of events rather than for its club, in English, German, French and Dutch. */
const listWords = new Set(
  `all and annual calendar club copy dates diary draft events export final fixture fixtures games league list match matches new our overview plan planner program programme results schedule season sheet table teams the timetable year yearly
alle auswärtsspiele das der die entwurf gesamt heimspiele hinrunde jahresplan jahresplanung jahresprogramm kalender kopie liste neu plan programm rückrunde saison spiele spielplan tabelle tabelle1 termin termine terminkalender terminliste terminplan terminplanung terminübersicht und unsere übersicht veranstaltungen veranstaltungskalender verein vereinsspielplan vereinstermine
agenda annuel brouillon calendrier championnat copie dates événements et feuil1 le les liste manifestations matchs matches nos planning programme rencontres saison tableau
activiteiten alle blad1 concept data de en evenementen het jaarkalender jaarplanning jaarprogramma kalender kopie lijst nieuw ons overzicht programma schema seizoen speelschema vereniging wedstrijden wedstrijdprogramma wedstrijdschema
v1 v2 v3`.split(/\s+/),
);

/** Words between a list and its club, such as "Calendrier du Club alpin". */
const linkWords = new Set(['of', 'for', 'the', 'der', 'für', 'du', 'de', 'la', 'van', 'voor']);

const endings = /\.[a-z0-9]{2,5}$/i;

/** Years and seasons, such as 2026, 26-27 and 2026/2027, dates such as 2026-11-22, and "(2)". */
const years = /(?<!\d)(?:(?:19|20)\d\d(?:[-/–_. ]\d{1,4})*|\d\d[-/–]\d\d)(?!\d)|\(\d+\)/g;

/** Commas, colons and dashes between the club and the list. */
const breaks = /\s*[,;:|·•]\s+|\s+[-–—|·•]+\s*|\s*[–—]+\s+|\s*\|\s*/;

/** Longer texts are sentences. */
const maxLength = 60;

/** Returns a part of a title without the words for a list at both of its ends. */
function trimListWords(part: string): string {
  const words = part.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
  const isOfList = (word = '') => listWords.has(word.toLowerCase());
  const all = words.length;
  while (isOfList(words.at(-1))) words.pop();
  while (isOfList(words[0]) && words.length > 0) {
    const [, next = ''] = words;
    // A German genitive changes the name itself: "Jahresprogramm des Musikvereins".
    if (next.toLowerCase() === 'des') return '';
    words.shift();
  }
  while (words.length < all && linkWords.has(words[0]?.toLowerCase() ?? '')) words.shift();
  return words.join(' ');
}

/** Returns the name of the club in a title such as "SV Harbour Rovers – Fixtures 2026/27". */
export function clubNameIn(title: string): string {
  const text = title.replace(years, ' ').replaceAll('_', ' ').trim();
  if (text.length > maxLength || /@|www\.|https?:/.test(text)) return '';
  const names = text.split(breaks).map((part) => trimListWords(part.trim()));
  return names.find((name) => /\p{L}{2}/u.test(name)) ?? '';
}

/** A proposal for the name of a club, with the title in the file that has it, if one does. */
type ProposedName = { readonly name: string; readonly title?: string };

/** Proposes the name of a club: from the titles in its file, else from the name of the file. */
export function proposeName(titles: readonly string[], file: string): ProposedName {
  const title = titles.find((one) => clubNameIn(one) !== '');
  if (title !== undefined) return { name: clubNameIn(title), title };
  return { name: clubNameIn(file.replace(endings, '').replaceAll('.', ' ')) };
}
