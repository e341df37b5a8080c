/** Creates a formatter of timestamps for a time zone: `Fri 1 May 2026, 18:00`. */
export function createLocalDates(timeZone: string): (timestamp: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (timestamp) => {
    const parts = format.formatToParts(new Date(timestamp));
    const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    return `${get('weekday')} ${get('day')} ${get('month')} ${get('year')}, ${get('hour')}:${get('minute')}`;
  };
}
