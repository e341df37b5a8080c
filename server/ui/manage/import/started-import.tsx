import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../../base/browser.ts';
import { IconFileText } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { type ImportWork, isStarted, namesOf } from './choices.ts';
import { useClubImport } from './import-state.ts';

/** The note that an import is not finished, with the way back to it; thrown away, it can be brought back. */
export function StartedImport() {
  const { t } = useTranslation(['import', 'undoNotice']);
  const { use, reset, restore } = useClubImport();
  const work = use();
  const [thrown, setThrown] = useState<ImportWork | undefined>();
  const isThere = isStarted(work);
  const shown = isThere ? work : thrown;
  if (shown === undefined) return null;
  const names = { files: namesOf(shown.files) };
  const throwAway = () => {
    setThrown(work);
    reset();
  };
  const undo = () => {
    restore(shown);
    setThrown(undefined);
  };
  return (
    <div role="status" className="cluster notice is-quiet">
      <IconFileText size={20} stroke={1.75} aria-hidden />
      <p dir="auto">{t(isThere ? 'started' : 'thrownAway', names)}</p>
      <div className="row close">
        {isThere && (
          <Button
            className="small-button"
            variant="default"
            onClick={() => goTo({ manage: 'import' })}
          >
            {t('continue')}
          </Button>
        )}
        {work.import.state !== 'running' && (
          <Button
            className="small-button"
            variant={isThere ? 'subtle' : 'default'}
            onClick={() => {
              if (isThere) throwAway();
              else undo();
              focusContent();
            }}
          >
            {t(isThere ? 'throwAway' : 'undoNotice:undo')}
          </Button>
        )}
      </div>
    </div>
  );
}
