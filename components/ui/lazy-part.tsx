'use client'
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from './announcer.tsx'

interface Options<Props> {
  /** Keeps its place while it is on its way. */
  loading?: ReactNode
  /** Told where it could not be loaded. */
  onFailed?: (props: Props) => void
}

/**
 * A part of a page whose script is loaded when it is first shown, once the browser is online: what could not be loaded may not be
 * asked for again until the page is. Where it cannot be loaded the page goes on without it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = null, onFailed }: Options<Props> = {},
): ComponentType<Props> {
  const make = () =>
    lazy(async () => {
      try {
        await online()
        return { default: await load() }
      } catch (error) {
        // React keeps what failed for good.
        current = make()
        throw error
      }
    })
  let current = make()

  return function LazyPart(props: Props) {
    const [Part] = useState(() => current)
    const t = useTranslations('shell')
    const announce = useAnnounce()
    const fail = () => {
      announce(t('notLoaded'))
      onFailed?.(props)
    }
    return (
      <Boundary onFailed={fail}>
        <Suspense fallback={loading}>
          <Part {...props} />
        </Suspense>
      </Boundary>
    )
  }
}

class Boundary extends Component<{ onFailed: () => void; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    this.props.onFailed()
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

/** On the server nobody is offline. */
async function online(): Promise<void> {
  if (navigator.onLine !== false) return
  await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
}
