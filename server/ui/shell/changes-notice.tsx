import '../views/event/changes.css';
import { Button, CloseButton } from '@mantine/core';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unfiltered } from '../base/address.ts';
import { useFormats, useMomentName } from '../base/format.ts';
import { goTo, usePlace } from '../base/navigation.ts';
import type { Change } from '../data/snapshot.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';

const kinds = [
  'new',
  'moved',
  'relocated',
  'cancelled',
] as const satisfies readonly Change['kind'][];

/** A change of place that shows only changed events, without other filters. */
const changedOnly = { ...unfiltered, changedOnly: true };

/** Moves the focus to the events, because the focused button disappears. */
function focusEvents(): void {
  document.getElementById('events')?.focus();
}

function useCounts(changes: ReadonlyMap<number, Change>): string {
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const counts = useMemo(() => {
    const found = { new: 0, moved: 0, relocated: 0, cancelled: 0 };
    for (const { kind } of changes.values()) found[kind] += 1;
    return found;
  }, [changes]);
  return kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(kind, { count: counts[kind], shown: formats.number(counts[kind]) }))
    .join(', ');
}

function NewsNotice() {
  const { t } = useTranslation('changes');
  const { changes, lastVisit, markSeen } = useVisibleEvents();
  const place = usePlace();
  const nameOf = useMomentName();
  const what = useCounts(changes);
  if (changes.size === 0 || lastVisit.since === null) return null;
  // The season view shows numbers of events, not the events.
  const view = place.view === 'season' ? 'agenda' : place.view;
  const markAll = () => {
    markSeen(changes.keys());
    focusEvents();
  };
  return (
    <div className="notice changes-news">
      <IconBell size={20} aria-hidden className="changes-icon" />
      <p>{t('since', { when: nameOf(lastVisit.since), what })}</p>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => goTo(place.changedOnly ? { changedOnly: false } : { ...changedOnly, view })}
      >
        {t(place.changedOnly ? 'showAll' : 'show')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={markAll}>
        {t('seen')}
      </Button>
    </div>
  );
}

function StorageNotice() {
  const { t } = useTranslation('changes');
  const { lastVisit } = useVisibleEvents();
  const [isClosed, setIsClosed] = useState(false);
  if (lastVisit.problem === null || isClosed) return null;
  const close = () => {
    setIsClosed(true);
    focusEvents();
  };
  return (
    <div className="notice changes-storage">
      <IconBellOff size={18} aria-hidden />
      <p>{t(lastVisit.problem)}</p>
      <CloseButton size="sm" aria-label={t('closeNotice')} onClick={close} />
    </div>
  );
}

export function ChangesNotice() {
  return (
    <>
      <NewsNotice />
      <StorageNotice />
    </>
  );
}
