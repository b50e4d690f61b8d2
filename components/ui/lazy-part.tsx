'use client'
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useWarn } from './announcer.tsx'

interface Options<Props> {
  /** Rendered while it loads. */
  loading?: ReactNode
  /** Whether it does without React Aria, apart from parts that are lazy themselves. */
  isPlain?: boolean
  /** Called if it couldn't be loaded. */
  onFailed?: (props: Props) => void
}

/** A component whose script is loaded when it is first rendered, or before: once `preload` resolves, it renders at once. */
type LazyPart<Props> = ComponentType<Props> & { preload: () => Promise<void> }

/**
 * A component whose script is loaded once the browser is online: a script that failed to load may not be requested again until the page
 * reloads. If it can't be loaded, the page works without it.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = null, isPlain = false, onFailed }: Options<Props> = {},
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  let reading: Promise<{ default: ComponentType<Props> }> | undefined
  const read = () => {
    reading ??= readOnce()
    return reading
  }
  const make = () => lazy(read)
  let current = make()

  async function readOnce() {
    try {
      await online()
      loaded = isPlain ? await load() : await loadInLanguage(load)
      return { default: loaded }
    } catch (error) {
      // React caches a failed lazy component forever.
      reading = undefined
      current = make()
      throw error
    }
  }

  function LazyPart(props: Props) {
    const [Part] = useState(() => loaded ?? current)
    const t = useTranslations('shell')
    const warn = useWarn()
    const fail = () => {
      warn(t('notLoaded'))
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
  LazyPart.preload = async () => {
    await read()
  }
  return LazyPart
}

async function loadInLanguage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const [Part, { I18nProvider }] = await Promise.all([load(), import('react-aria-components/I18nProvider')])
  return inLanguage(Part, I18nProvider)
}

/** React Aria takes its language and direction from its own provider. No part of a page that is loaded at once needs it. */
function inLanguage<Props extends object>(
  Part: ComponentType<Props>,
  Provider: ComponentType<{ locale: string; children: ReactNode }>,
): ComponentType<Props> {
  return function InLanguage(props: Props) {
    return (
      <Provider locale={useLocale()}>
        <Part {...props} />
      </Provider>
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

/** Always online on the server. */
async function online(): Promise<void> {
  if (navigator.onLine !== false) return
  await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
}
