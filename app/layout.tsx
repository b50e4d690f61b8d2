import './globals.css'
// Imported for the browser to load them with the layout: each in a script of its own would be two more requests.
import './error.tsx'
import './global-error.tsx'
import deskFace from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import { CATALOGUE_FILES } from '#components/i18n/catalogue-files.ts'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { Providers } from '#components/shell/providers.tsx'

export const metadata: Metadata = { title: { default: 'Docket', template: '%s · Docket' }, robots: 'noindex, nofollow' }
export const viewport: Viewport = { colorScheme: 'light dark' }

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Preloaded with the page for its first paint, so that no font swap shifts the layout.
  preload(deskFace, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  const nonce = (await headers()).get('x-docket-nonce') ?? undefined
  const preferences = await readOwnPreferences()
  const { language } = preferences
  const { locale, direction } = LANGUAGES[language]
  const messagesPath = CATALOGUE_FILES[language].path
  preload(messagesPath, { as: 'fetch', crossOrigin: 'anonymous' })

  return (
    <html
      lang={language}
      dir={direction}
      data-theme={preferences.theme === 'system' ? undefined : preferences.theme}
      data-density={preferences.density}
    >
      {/* React Aria reads the nonce for its style element from here. */}
      <head>{nonce && <meta property="csp-nonce" content={nonce} nonce={nonce} />}</head>
      <body>
        <Providers preferences={preferences} locale={locale} messagesPath={messagesPath} now={new Date().toISOString()}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
