'use client'
import './globals.css'
import { PAGE_FAILURE } from '#components/i18n/messages/page-failure.ts'
import { FailureIcon } from '#components/shell/failure-icon.tsx'
import { MessagePage } from '#components/shell/message-page.tsx'

const BUTTON = 'h-control rounded-2 border border-line-control bg-raised px-2.5 font-firm text-ink hover:bg-hover'

/** Shown when even the layout failed, so it relies on nothing above it. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  const tryAgain = (
    <button type="button" onClick={retry} className={BUTTON}>
      {PAGE_FAILURE.tryAgain}
    </button>
  )
  return (
    <html lang="en">
      <body>
        <title>Docket</title>
        <MessagePage icon={<FailureIcon />} title={PAGE_FAILURE.pageTitle} act={tryAgain}>
          {PAGE_FAILURE.pageText}
        </MessagePage>
      </body>
    </html>
  )
}
