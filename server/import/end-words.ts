import { addDays } from '../dates/days.ts';
import { type Moment, wordEnd } from '../dates/end-line.ts';
import { endWords } from '../event/times.ts';
import { supportedLanguage } from '../messages/messages.ts';

/** The end of an event, on the clock of its start. */
export type End = { readonly day: string | undefined; readonly time: string | undefined };

/** Hours of an event that goes on in the night and ends at an earlier time of day. */
const maxNight = 16;

const hoursOf = (time: string) => Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;

/** Returns true for an end before the start that is hardly in the night after it, as in "19:00 - 18:00". */
export function isNearlyADay(start = '', end = ''): boolean {
  const hours = hoursOf(end) - hoursOf(start);
  return start !== '' && end !== '' && hours < 0 && hours + 24 > maxNight;
}

/** Returns the end of an event. Calendars end a whole day at the midnight after it. */
function endOf(start: Moment, { day = start.day, time = '' }: End): Moment {
  if (start.time !== '') {
    const isNight = day === start.day && time !== '' && time < start.time;
    return { day: isNight ? addDays(day, 1) : day, time };
  }
  if (time === '23:59' && day === start.day) return start;
  if (time !== '00:00') return { day, time: day === start.day ? time : '' };
  return { day: day === start.day ? day : addDays(day, -1), time: '' };
}

/** Creates the function that words the end of an event; empty for one that is its start. */
export function createEndWriter(language = 'en-GB') {
  const supported = supportedLanguage([language]);
  const words = endWords(supported);
  return (start: Moment, end: End): string => wordEnd(endOf(start, end), start, supported, words);
}
