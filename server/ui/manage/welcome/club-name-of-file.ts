const endings = /\.[a-z0-9]{2,5}$/i;

/** Years and seasons, such as 2026, 2026-27 and 2026/2027, and dates such as 2026-11-22. */
const years = /(?<!\d)(?:19|20)\d\d(?:[-/–_. ]\d{1,4})*(?!\d)/g;

/** Returns a proposal for a club's name: the name of its file without ending, year and dashes. */
export function clubNameOfFile(name: string): string {
  return name
    .replace(endings, '')
    .replace(years, ' ')
    .replace(/[_\s]+/g, ' ')
    .replace(/^[\s\-–,.]+|[\s\-–,.]+$/g, '')
    .replace(/ [-–] ?$/, '');
}
