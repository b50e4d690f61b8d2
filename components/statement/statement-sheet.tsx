import type { ReactNode } from 'react'
import { createFormatter } from 'use-intl/core'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { Brand } from '#components/kit/frame/brand.tsx'
import { textIn } from '#components/kit/policies/text-in.ts'
import { readOwnPreferences } from '#components/preferences/own-preferences.ts'
import { readWords } from '#components/preferences/server-messages.ts'
import type { LinkedStatement } from '#server/modules/network/statements/schema.ts'
import { AppealForm } from './appeal-form.tsx'

/** A statement of reasons, or without one that its link doesn't work: for people without an account, rendered on the server alone. */
export async function StatementSheet({ statement, token }: { statement: LinkedStatement | undefined; token: string }) {
  const t = await readWords()
  return (
    <main className="mx-auto w-[min(640px,100%)] p-4 py-8 print:p-0">
      <article className="relative rounded-s-[2px] rounded-e-3 border border-line-strong bg-surface px-8 py-7 phone:px-5 print:border-0">
        <span
          aria-hidden
          className="absolute -inset-y-px -start-px w-1.5 bg-age-3 forced-color-adjust-none print:hidden"
        />
        <p className="mb-5 flex items-center gap-[9px] text-large font-bold tracking-[-0.015em] text-ink">
          <Brand />
        </p>
        {statement ? (
          <Statement statement={statement} token={token} />
        ) : (
          <>
            <h1 className="text-title font-bold text-ink">{t('statement.invalid')}</h1>
            <p className="mt-3">{t('statement.invalidText')}</p>
          </>
        )}
      </article>
    </main>
  )
}

async function Statement({ statement, token }: { statement: LinkedStatement; token: string }) {
  const t = await readWords()
  const { language } = await readOwnPreferences()
  const format = createFormatter({ locale: LANGUAGES[language].locale, timeZone: 'UTC' })
  const timeOf = (at: string) =>
    format.dateTime(new Date(at), { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const { measure, content, space, policy, words, explanation, foundBy, isAutomated, state, until, issuedAt } =
    statement
  const { appeal, appealUntil } = statement
  const place = space.scope === 'network' ? t('statement.everywhere') : space.displayName
  const isOfAccount = measure === 'banned' || measure === 'muted'
  const sources = foundBy.length > 0 ? foundBy : (['person'] as const)
  return (
    <>
      <h1 className="text-title font-bold wrap-anywhere text-ink">
        {t(`statement.titles.${measure}`, { type: content?.type ?? 'comment', scope: space.scope, space: place })}
      </h1>
      {state !== 'inForce' && <p className="mt-2 font-firm text-approve">{t(`statement.over.${state}`)}</p>}
      <Said title={t('statement.words')}>{words}</Said>
      <Said title={t('statement.explanation')}>{explanation}</Said>
      <Part title={t('statement.rule')}>{policy ? <Policy policy={policy} /> : <p>{t('statement.noRule')}</p>}</Part>
      {content && <Written content={content} />}
      <dl className="mt-6 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1.5 border-t border-line pt-4 text-small max-[400px]:grid-cols-1">
        <Fact name={t('statement.where')}>
          <bdi>{place}</bdi>
        </Fact>
        <Fact name={t('statement.at')}>{timeOf(issuedAt)} UTC</Fact>
        {isOfAccount && (
          <Fact name={t('statement.until')}>{until ? `${timeOf(until)} UTC` : t('statement.noEnd')}</Fact>
        )}
        <Fact name={t('statement.found')}>{sources.map((source) => t(`statement.foundBy.${source}`)).join(' ')}</Fact>
        <Fact name={t('statement.decided')}>{t(isAutomated ? 'statement.byProgram' : 'statement.byPerson')}</Fact>
        <Fact name={t('statement.number')}>
          <span className="font-code">{statement.statementId}</span>
        </Fact>
      </dl>
      {appeal && <Appeal appeal={appeal} timeOf={timeOf} />}
      {appealUntil && (
        <section className="mt-6 border-t border-line pt-4 print:hidden">
          <h2 className="text-large font-bold text-ink">{t('statement.appeal.title')}</h2>
          <p className="mt-1">{t('statement.appeal.lead', { time: `${timeOf(appealUntil)} UTC` })}</p>
          <AppealForm token={token} />
        </section>
      )}
    </>
  )
}

interface AppealProps {
  appeal: NonNullable<LinkedStatement['appeal']>
  timeOf: (at: string) => string
}

/** What the person said against it, and the answer. */
async function Appeal({ appeal: { state, words, createdAt, answer }, timeOf }: AppealProps) {
  const t = await readWords()
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h2 className="text-large font-bold text-ink">{t('statement.appeal.yours')}</h2>
      <p className="mt-1 text-small text-ink-3">{t('statement.appeal.sent', { time: `${timeOf(createdAt)} UTC` })}</p>
      {words !== undefined && (
        <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink">
          {words}
        </p>
      )}
      {state === 'waiting' ? (
        <p className="mt-3 font-firm text-ink">{t('statement.appeal.waiting')}</p>
      ) : (
        <>
          <p className="mt-3 font-firm text-ink">{t(`statement.appeal.outcomes.${state}`)}</p>
          <Said title={t('statement.appeal.answer')}>{answer}</Said>
        </>
      )}
    </section>
  )
}

/** What the person wrote; of messages nothing, as others may have the link. */
async function Written({ content: { type, title, text } }: { content: NonNullable<LinkedStatement['content']> }) {
  const t = await readWords()
  if (type !== 'comment' && type !== 'post') return null
  return (
    <Part title={t('statement.yours')}>
      {title === undefined && text === undefined ? (
        <p className="text-ink-3">{t('statement.gone')}</p>
      ) : (
        <div
          dir="auto"
          className="border-s-2 border-line-strong ps-3 font-member wrap-anywhere whitespace-pre-wrap text-ink"
        >
          {title && <p className="font-bold">{title}</p>}
          {text}
        </div>
      )}
    </Part>
  )
}

async function Policy({
  policy: { texts, ground, legalReference, url },
}: {
  policy: NonNullable<LinkedStatement['policy']>
}) {
  const t = await readWords()
  const { language } = await readOwnPreferences()
  const said = textIn(texts, language)
  return (
    <>
      <p dir="auto" className="font-firm wrap-anywhere text-ink">
        {said?.title}
      </p>
      <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
        {said?.text}
      </p>
      <p className="mt-1.5 text-small text-ink-3">
        {ground === 'law' ? t('statement.law', { reference: legalReference ?? '' }) : t('statement.terms')}{' '}
        {url && (
          <a href={url} rel="noreferrer">
            {t('statement.published')}
          </a>
        )}
      </p>
    </>
  )
}

/** Words of people, where there are some. */
function Said({ title, children }: { title: string; children: string | undefined }) {
  if (children === undefined) return null
  return (
    <Part title={title}>
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-ink">
        {children}
      </p>
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h2 className="mb-1 text-small font-bold text-ink-3">{title}</h2>
      {children}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink max-[400px]:mb-1.5">{children}</dd>
    </>
  )
}
