/** Makes the writer of timestamps as people of a time zone read them: `Fri 1 May 2026, 18:00`. */
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
    const of = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    return `${of('weekday')} ${of('day')} ${of('month')} ${of('year')}, ${of('hour')}:${of('minute')}`;
  };
}
