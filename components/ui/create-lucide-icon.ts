import { createElement, type SVGProps } from 'react'

interface IconData {
  node: [tag: string, attributes: Record<string, string>][]
}

/** Makes the icons of `lucide-react`, in place of its own function (next.config.mjs), which is 2 kB larger for what the desk doesn't use. */
// biome-ignore lint/style/noDefaultExport: lucide-react imports it as that
export default function createLucideIcon({ node }: IconData) {
  const children = node.map(([tag, attributes]) => createElement(tag, attributes))
  return function LucideIcon({ className = '', ...props }: SVGProps<SVGSVGElement>) {
    // Hidden from screen readers unless it has a name.
    const isHidden = props['aria-label'] === undefined || undefined
    const attributes = { ...ATTRIBUTES, 'aria-hidden': isHidden, className: `lucide ${className}`, ...props }
    return createElement('svg', attributes, children)
  }
}

const ATTRIBUTES = {
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const
