import type { QrCode } from '../../export/qr-code.ts';

type PictureProps = {
  readonly code: QrCode;
  /** A description for screen readers. */
  readonly name: string;
  readonly className: string;
};

/** A QR code, black on white in every theme. */
export function CodePicture({ code: { size, path }, name, className }: PictureProps) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={name}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
