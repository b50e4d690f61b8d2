'use client'
import { Button } from '#components/ui/button.tsx'

/** The form's only primary button; it keeps the focus while the form is being sent. */
export function SubmitButton({ isSending, children }: { isSending: boolean; children: string }) {
  return (
    <Button type="submit" look="primary" size="large" isPending={isSending} className="mt-0.5">
      {children}
    </Button>
  )
}
