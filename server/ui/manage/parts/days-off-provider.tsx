import { type ReactNode, useMemo } from 'react';
import { hourMs } from '../../../dates/units.ts';
import { combineDaysOff, DaysOffContext } from '../../data/days-off.ts';
import { useActionQuery } from './action-hooks.ts';
import { useDesktop } from './desktop-provider.tsx';

/** Interval at which the days off are read, in milliseconds: the service reads addresses once a day. */
const pollingMs = hourMs;

/** Provides the days off of the open club. They stay on view while they are read again. */
export function DaysOffProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const { data } = useActionQuery(
    'days-off list',
    { user: club.name },
    { intervalMs: pollingMs, isInBackground: true },
  );
  const combined = useMemo(() => combineDaysOff(data?.calendars ?? []), [data]);
  return <DaysOffContext value={combined}>{children}</DaysOffContext>;
}
