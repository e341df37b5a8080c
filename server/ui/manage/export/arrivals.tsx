import { useTranslation } from 'react-i18next';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { useAnnounced } from '../../data/announced.ts';
import { isSeen, type PublishedFile } from '../../data/subscriptions.ts';

/** The formats in the order of the line, with the words for them. */
const kinds = [
  ['html', 'arrivedPage'],
  ['ics', 'arrivedCalendar'],
  ['json', 'arrivedCopy'],
] as const satisfies readonly (readonly [PublishedFile['format'], string])[];

/** Returns the arrival of the files of a format, by the one that is furthest behind: its time, or a state. */
export function arrivalOf(files: readonly PublishedFile[]): 'failed' | 'soon' | { at: string } {
  const isBroken = ({ state, addressCheck }: PublishedFile) =>
    state === 'failed' || Boolean(addressCheck?.problem);
  if (files.some(isBroken)) return 'failed';
  if (files.some((file) => file.state === 'behind' || !isSeen(file))) return 'soon';
  const times = files.map(({ addressCheck, checkedAt }) => addressCheck?.seenAt ?? checkedAt ?? '');
  return { at: times.toSorted()[0] ?? '' };
}

/** One line that says when each way last reached the members. */
export function Arrivals({ files }: { readonly files: readonly PublishedFile[] }) {
  const { t } = useTranslation('share');
  const formats = useFormats();
  const now = useNow();
  const { announced, changes } = useAnnounced();
  const at = (way: string, moment: string) => `${way} ${formats.distance(moment, now)}`;
  const ofFiles = kinds.flatMap(([format, name]) => {
    const own = files.filter((file) => file.format === format);
    if (own.length === 0) return [];
    const way = t(name);
    const arrival = arrivalOf(own);
    if (arrival === 'failed') return t('arrivedNot', { way });
    return arrival === 'soon' ? t('arrivedSoon', { way }) : at(way, arrival.at);
  });
  const way = t('arrivedMessage');
  const last = announced?.announced;
  const ofMessage =
    changes.length > 0
      ? t('arrivedUntold', { way, count: changes.length, shown: formats.number(changes.length) })
      : last && last.language !== null
        ? at(way, last.at)
        : undefined;
  const parts = [...ofFiles, ...(ofMessage === undefined ? [] : [ofMessage])];
  if (parts.length === 0) return null;
  return <p className="arrivals">{capitalize(parts.join(' · '))}</p>;
}
