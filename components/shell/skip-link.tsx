'use client'
import { useTranslations } from 'use-intl'

/** The first stop of the Tab key: moves the focus to the page, past the navigation. */
export function SkipLink() {
  const t = useTranslations('shell')
  function skip(): void {
    const main = document.querySelector('main')
    if (!main) return
    main.tabIndex = -1
    main.focus()
  }
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only z-20 rounded-2 bg-accent px-3 font-firm text-on-accent focus:not-sr-only focus:absolute focus:start-2 focus:top-1.5 focus:h-control"
    >
      {t('skip')}
    </button>
  )
}
