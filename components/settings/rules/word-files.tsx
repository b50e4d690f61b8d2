'use client'
import { Download, Upload } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { saveCsv } from '#components/ui/save-csv.ts'
import { linesOf } from './condition-fields.ts'
import { textOfFile, toWordFile, withWords, wordsIn } from './word-file.ts'

/** Larger than any list of words that a rule can have. */
const BYTES = 2_000_000

interface WordFilesProps {
  /** The words, one to a line. */
  value: string
  onChange: (value: string) => void
}

/** Adds the words of a CSV file to a list, and saves the list as one. */
export function WordFiles({ value, onChange }: WordFilesProps) {
  const t = useTranslations('rules.form.files')
  const announce = useAnnounce()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  const words = linesOf(value)

  async function read({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? []
    if (!file) return
    const found = file.size > BYTES ? [] : wordsIn(textOfFile(new Uint8Array(await file.arrayBuffer())))
    // The same file can be chosen again.
    target.value = ''
    setFailure(found.length === 0 ? t('noWords', { name: file.name }) : undefined)
    if (found.length === 0) return
    const all = withWords(words, found)
    onChange(all.join('\n'))
    announce(t('imported', { count: all.length - words.length }))
  }

  return (
    <span className="mt-1.5 flex flex-wrap items-center gap-2">
      <Button size="small" onPress={() => input.current?.click()}>
        <Upload />
        {t('import')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        onChange={(event) => void read(event)}
      />
      {words.length > 0 && (
        <Button size="small" onPress={() => saveCsv(`${t('fileName')}.csv`, toWordFile(words))}>
          <Download />
          {t('export')}
        </Button>
      )}
      {failure && <FormError id={id}>{failure}</FormError>}
    </span>
  )
}
