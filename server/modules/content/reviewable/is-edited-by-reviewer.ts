/** As views have it: absent where the author wrote the text as it is. */
export function isEditedByReviewer({ editedBy }: { editedBy: string | null }): true | undefined {
  return editedBy === null ? undefined : true
}
