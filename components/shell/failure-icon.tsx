/** Drawn here: the pages of last resort need no icon library, which every page would load for them. */
export function FailureIcon() {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the text beside it says the same
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      className="size-5"
    >
      <circle cx="12" cy="12" r="10" />
      <path d="M12 8v4M12 16h.01" />
    </svg>
  )
}
