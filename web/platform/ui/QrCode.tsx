import type { QrModules } from './use-qr-code.ts'

/** A QR code. Dark on light by night too: that is what cameras read. */
export function QrCode({ modules, label }: { modules: QrModules; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.size} ${modules.size}`}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-md border border-line"
    >
      <rect width={modules.size} height={modules.size} fill="white" />
      <path d={modules.path} fill="black" />
    </svg>
  )
}
