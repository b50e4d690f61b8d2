'use client'
import './globals.css'
import { DeskIntl } from '#components/i18n/desk-intl.tsx'
import { DIRECTION, LANGUAGE } from '#components/i18n/locale.ts'
import { PageFailure } from '#components/shell/page-failure.tsx'

/** Where even the layout failed: nothing above it can be relied on. */
export default function GlobalError({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang={LANGUAGE} dir={DIRECTION}>
      <body>
        <title>Docket</title>
        <DeskIntl timeZone="UTC" now="1970-01-01T00:00:00Z">
          <PageFailure onTryAgain={retry} />
        </DeskIntl>
      </body>
    </html>
  )
}
