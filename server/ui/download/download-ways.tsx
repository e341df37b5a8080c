import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../base/format.ts';
import { useWords } from '../base/i18n.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { type Download, fileKinds, useDownload } from './download.ts';
import { ExportWay, SavedFile } from './export-way.tsx';

/** Returns the reason why the events cannot be exported now; undefined if they can. */
function useObstacle(): string | undefined {
  const { t } = useTranslation('download');
  const formats = useFormats();
  const { events, source, isSearching } = useVisibleEvents();
  if (source === undefined || isSearching) return t('reading');
  if (!source.pastRead || !source.comingRead) {
    const [read, total] = [source.events.length, source.total].map(formats.number);
    return t('readingSoFar', { read, total });
  }
  return events.length === 0 ? t('nothing') : undefined;
}

function Outcome({ last }: { readonly last: Download }) {
  const { t } = useTranslation('download');
  const formats = useFormats();
  const words = useWords();
  const { state, count, file, problem } = last;
  const text = problem ? words(problem) : t(state, { count, shown: formats.number(count), file });
  return state === 'failed' ? (
    <p role="alert" className="optional export-outcome export-failed">
      {text}
    </p>
  ) : (
    <SavedFile text={text} />
  );
}

/** The formats in which the page itself saves the events in view. */
export function DownloadWays() {
  const obstacle = useObstacle();
  const id = useId();
  const { last, download } = useDownload();
  return (
    <>
      {obstacle !== undefined && (
        <p id={id} role="status" className="export-why">
          {obstacle}
        </p>
      )}
      <div className="ruled boxed">
        {fileKinds.map((kind) => (
          <ExportWay
            key={kind}
            format={kind}
            isSaving={last?.kind === kind && last.state === 'making'}
            obstacle={obstacle && id}
            onSave={() => void download(kind)}
          >
            {last?.kind === kind && <Outcome last={last} />}
          </ExportWay>
        ))}
      </div>
    </>
  );
}
