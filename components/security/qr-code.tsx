import { toQrCode } from './to-qr-code.ts'

const QUIET_MODULES = 4

/** Dark on light in every theme: cameras read no other. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = toQrCode(text)
  const size = modules.length + 2 * QUIET_MODULES
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z` : '')))
    .join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="size-52 forced-color-adjust-none">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
