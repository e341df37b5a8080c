import { type CSSProperties, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventType } from '../../../../db/model.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { type PaperName, papers } from './print-choices.ts';

type SheetKind = 'list' | 'month' | 'event';

/** The parts that all pages of a sheet have in common. */
export type Frame = {
  readonly kind: SheetKind;
  readonly paper: PaperName;
  readonly title: string;
  readonly logo: HTMLImageElement | null | undefined;
  /** Types to explain at the foot. */
  readonly legend: readonly (EventType | null)[];
  /** The day of the data, as a sentence. */
  readonly stamp: string;
  /** The box at the foot of the last page; null for none. */
  readonly foot: ReactNode;
};

/** The content of one page. */
export type PageContent = {
  /** The period or the month; empty for none. */
  readonly subtitle: string;
  readonly body: ReactNode;
  /** A remark at the foot. */
  readonly note?: string | undefined;
  /** True for the page with the box of the sheet at its foot. */
  readonly hasFoot?: boolean;
};

/** A sheet laid out in pages. */
export type Sheets = {
  /** Size of the text in points. */
  readonly size: number;
  readonly pages: readonly PageContent[];
  /** True if places or notes were left out for lack of room. */
  readonly isReduced: boolean;
};

/** Returns the size of a page in millimetres; month sheets lie on their side. */
export function pageSize({ kind, paper }: Pick<Frame, 'kind' | 'paper'>) {
  const { width, height } = papers[paper];
  return kind === 'month' ? { width: height, height: width } : { width, height };
}

/** Height of a line on paper in multiples of the size of the text. */
export const lineHeight = 1.25;

/** Sizes of text in points, largest first. A3 is read from further away. */
export function textSizes(paper: PaperName): readonly number[] {
  return [...(paper === 'a3' ? [24, 20, 18] : []), 16, 14, 13, 12, 11, 10];
}

/** A canvas rather than an image: pages that are rendered for the printer must show it at once. */
export function LogoPicture({ image }: { readonly image: HTMLImageElement }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { naturalWidth: width, naturalHeight: height } = image;
  useLayoutEffect(() => canvas.current?.getContext('2d')?.drawImage(image, 0, 0), [image]);
  return <canvas ref={canvas} className="sheet-logo" width={width} height={height} aria-hidden />;
}

export function Legend({ types }: { readonly types: Frame['legend'] }) {
  const { t } = useTranslation('event');
  return (
    <span className="sheet-legend">
      {types.map((type) => (
        <span key={type}>
          <TypeMark type={type} /> {t(type ?? 'none')}
        </span>
      ))}
    </span>
  );
}

/** Returns the length class of a title, which determines its size on an event's sheet. */
function lengthOf({ length }: string): 'short' | 'medium' | 'long' {
  if (length <= 40) return 'short';
  return length <= 100 ? 'medium' : 'long';
}

/** One page of paper: black on white in every theme, of a fixed size. */
export function SheetPage(props: {
  readonly frame: Frame;
  readonly size: number;
  readonly content: PageContent;
  readonly number: number;
  readonly count: number;
}) {
  const { frame, size, content, number, count } = props;
  const { width, height } = pageSize(frame);
  const style = {
    '--width': `${width}mm`,
    '--height': `${height}mm`,
    fontSize: `${size}pt`,
  } as CSSProperties;
  return (
    <section className={`sheet-page sheet-${frame.kind}`} style={style}>
      <header className="sheet-head">
        {frame.logo && <LogoPicture image={frame.logo} />}
        <h2 dir="auto" data-length={lengthOf(frame.title)}>
          {frame.title}
        </h2>
        {content.subtitle !== '' && <p className="sheet-subtitle">{content.subtitle}</p>}
      </header>
      <div className="sheet-body">{content.body}</div>
      {content.hasFoot && frame.foot}
      <footer className="sheet-foot">
        {frame.legend.length > 0 && <Legend types={frame.legend} />}
        {content.note && <span>{content.note}</span>}
        <span>{frame.stamp}</span>
        <span className="sheet-number">{`${number}/${count}`}</span>
      </footer>
    </section>
  );
}
