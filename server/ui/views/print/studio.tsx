import { ActionIcon, Button } from '@mantine/core';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { fileNameOf } from '../../../export/file-name.ts';
import { useIsPrinting } from '../../base/browser.ts';
import { bridge, errorOf, requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import {
  IconArrowLeft,
  IconCheck,
  IconChevronLeft,
  IconChevronRight,
  IconPrinter,
} from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { type Frame, pageSize, SheetPage, type Sheets } from './paper.tsx';

/** Lays out a sheet; `onProgress` gets the share that is done. Rejects when it is cancelled. */
export type LayOut = (signal: AbortSignal, onProgress: (share: number) => void) => Promise<Sheets>;

/** Delay before a sheet is laid out again, for example after each typed letter. */
const pauseMs = 150;

type Layout = {
  /** The last result, until the next one is there. */
  readonly sheets: Sheets | undefined;
  readonly isReady: boolean;
  /** Share of the work that is done. */
  readonly progress: number;
};

/** Lays out a sheet whenever its input changes; undefined input waits. */
function useLayout(layOut: LayOut | undefined): Layout {
  const [last, setLast] = useState<{ of: LayOut; sheets: Sheets } | undefined>();
  const [progress, setProgress] = useState(0);
  const [failure, setFailure] = useState<unknown>();
  const hasResult = useRef(false);
  useEffect(() => {
    if (layOut === undefined) return;
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const start = () => {
      setProgress(0);
      layOut(signal, setProgress).then(
        (sheets) => {
          if (signal.aborted) return;
          hasResult.current = true;
          setLast({ of: layOut, sheets });
        },
        (error: unknown) => {
          if (!signal.aborted) setFailure(error);
        },
      );
    };
    const timer = setTimeout(start, hasResult.current ? pauseMs : 0);
    return () => {
      clearTimeout(timer);
      cancelling.abort();
    };
  }, [layOut]);
  if (failure !== undefined) throw failure;
  return { sheets: last?.sheets, isReady: last !== undefined && last.of === layOut, progress };
}

/** Sets the document title, which browsers suggest as the name of a PDF. */
function useTitle(title: string): void {
  useEffect(() => {
    const previousTitle = document.title;
    document.title = title.slice(0, 100);
    return () => {
      document.title = previousTitle;
    };
  }, [title]);
}

const millimetre = 96 / 25.4;
const maxScale = 1.5;

/** Window size in pixels from which choices and paper are side by side and a whole page is visible. */
const besides = '(min-width: 56.3125rem) and (min-height: 31.25rem)';

/** Returns the scale at which a page fits the space of the preview; a whole page if it is beside. */
function useScale(space: RefObject<HTMLElement | null>, frame: Frame): number {
  const { width, height } = pageSize(frame);
  const [scale, setScale] = useState(0.5);
  useLayoutEffect(() => {
    const element = space.current;
    if (element === null) return;
    const measure = () => {
      const byWidth = element.clientWidth / (width * millimetre);
      const free = window.innerHeight - element.getBoundingClientRect().top - window.scrollY - 24;
      const byHeight = matchMedia(besides).matches ? free / (height * millimetre) : maxScale;
      setScale(Math.max(0.1, Math.min(byWidth, byHeight, maxScale)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('resize', measure);
    measure();
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [space, width, height]);
  return scale;
}

/** Buttons for the previous and the next page, and the number of the page. */
function Pager(props: {
  readonly page: number;
  readonly count: number;
  readonly onPage: (page: number) => void;
}) {
  const { page, count, onPage } = props;
  const { t } = useTranslation('print');
  const formats = useFormats();
  const step = (name: string, next: number, Icon: typeof IconChevronLeft) => {
    const isPossible = next >= 0 && next < count;
    return (
      <ActionIcon
        variant="subtle"
        radius="xl"
        aria-label={name}
        // Not `disabled`, which would lose the focus at the last page.
        aria-disabled={!isPossible}
        onClick={() => isPossible && onPage(next)}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    );
  };
  const [shown, pages] = [formats.number(page + 1), formats.number(count)];
  return (
    <div className="row tight small studio-pager">
      {step(t('previousPage'), page - 1, IconChevronLeft)}
      <span role="status">{t('pageOf', { page: shown, pages })}</span>
      {step(t('nextPage'), page + 1, IconChevronRight)}
    </div>
  );
}

function Pages({ frame, sheets }: { readonly frame: Frame; readonly sheets: Sheets }) {
  const { t } = useTranslation('print');
  const isPrinting = useIsPrinting();
  const space = useRef<HTMLDivElement>(null);
  const scale = useScale(space, frame);
  const [chosen, setChosen] = useState(0);
  const count = sheets.pages.length;
  const page = Math.min(chosen, count - 1);
  const { width, height } = pageSize(frame);
  const style = {
    page: `${frame.paper}${frame.kind === 'month' ? '-wide' : ''}`,
    '--scale': scale,
    '--shown-width': `${width * scale}mm`,
    '--shown-height': `${height * scale}mm`,
  } as CSSProperties;
  return (
    <>
      <Pager page={page} count={count} onPage={setChosen} />
      <div ref={space} className="studio-space">
        <section className="studio-pages" style={style} aria-label={t('preview')}>
          {sheets.pages.map(
            (content, index) =>
              (isPrinting || index === page) && (
                <SheetPage
                  // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other identity
                  key={index}
                  frame={frame}
                  size={sheets.size}
                  content={content}
                  number={index + 1}
                  count={count}
                />
              ),
          )}
        </section>
      </div>
    </>
  );
}

/** The size of the text and the number of pages, or the progress of the layout. */
function Fit({ layout, hasCode }: { readonly layout: Layout; readonly hasCode: boolean }) {
  const { t } = useTranslation('print');
  const formats = useFormats();
  const { sheets, isReady, progress } = layout;
  const count = sheets?.pages.length ?? 0;
  return (
    <div
      className="small tinted good-icon studio-fit"
      role="status"
      data-ready={isReady || undefined}
    >
      {isReady && sheets ? (
        <>
          <IconCheck size={18} aria-hidden />
          <p>
            <b>
              {t('fit', { count, size: formats.number(sheets.size), pages: formats.number(count) })}
            </b>
            {t(sheets.isReduced ? 'fitReduced' : 'fitHelp')} {hasCode && t('fitCode')}
          </p>
        </>
      ) : (
        <p>{t('preparing', { percent: formats.number(Math.floor(progress * 100)) })}</p>
      )}
    </div>
  );
}

/** Saves the sheet as a PDF, which only the desktop window can. */
function SavePdf({ title }: { readonly title: string | undefined }) {
  const { t } = useTranslation('print');
  const [saved, setSaved] = useState<string | undefined>();
  const [error, setError] = useState<Error | undefined>();
  const failure = useErrorMessage(error);
  const save = async (name: string) => {
    setSaved(undefined);
    setError(undefined);
    try {
      const file = await unwrap(requireBridge().chooseOutput({ name }));
      if (file === null) return;
      await unwrap(requireBridge().savePdf({ file: file.token }));
      setSaved(file.name);
    } catch (thrown) {
      setError(errorOf(thrown));
    }
  };
  return (
    <>
      <p role="status" className="studio-saved" data-failed={error && true}>
        {failure ?? (saved && t('saved', { file: saved }))}
      </p>
      <Button
        variant="default"
        aria-disabled={title === undefined}
        onClick={() => title !== undefined && void save(`${fileNameOf(title)}.pdf`)}
      >
        {t('savePdf')}
      </Button>
    </>
  );
}

/** The toolbar; `title` is that of the sheet, undefined while there is none to print. */
function StudioHead({ title }: { readonly title: string | undefined }) {
  const { t } = useTranslation('print');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <header className="cluster studio-head">
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconArrowLeft size={18} aria-hidden />}
        onClick={closeSheet}
      >
        <span className="studio-back">{t('back')}</span>
      </Button>
      <h1 ref={heading} tabIndex={-1}>
        {t('heading')}
      </h1>
      {bridge !== undefined && <SavePdf title={title} />}
      <Button
        id="print-sheet"
        leftSection={<IconPrinter size={18} aria-hidden />}
        aria-disabled={title === undefined}
        onClick={() => title !== undefined && window.print()}
      >
        {t('print')}
      </Button>
    </header>
  );
}

export function closeSheet(): void {
  goTo({ sheet: null });
}

/** The screen while there is nothing to print, with the reason. */
export function StudioMessage(props: {
  readonly text: string;
  readonly form?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { text, form, children } = props;
  return (
    <div className="print-root studio-view">
      <StudioHead title={undefined} />
      <main className="studio">
        {form && <div className="studio-choices">{form}</div>}
        <div className="studio-bench">
          <div className="stack loose invitation studio-message" role="status">
            <p>{text}</p>
            {children}
          </div>
        </div>
      </main>
    </div>
  );
}

/** The print studio: choices, and the paper as it will be printed. */
export function Studio(props: {
  readonly frame: Frame;
  readonly layOut: LayOut | undefined;
  /** The choices. */
  readonly children: ReactNode;
}) {
  const { frame, layOut, children } = props;
  const { t } = useTranslation('print');
  const layout = useLayout(layOut);
  useTitle(frame.title);
  return (
    <div className="print-root studio-view">
      <StudioHead title={layout.isReady ? frame.title : undefined} />
      <main className="studio">
        <div className="studio-choices">
          {children}
          <Fit layout={layout} hasCode={frame.foot !== null} />
          <p className="small studio-kept">{t('kept')}</p>
        </div>
        <div className="studio-bench" aria-busy={!layout.isReady}>
          {layout.sheets && <Pages frame={frame} sheets={layout.sheets} />}
        </div>
      </main>
    </div>
  );
}
