import { Star } from 'lucide-react'
import { RATINGS, type Rating as RatingValue } from '#contract/operations/leaving.ts'
import { RATING_LABELS } from '#web/operations/leaving/answer-labels.ts'

/** A rating of 1 to 5 as stars, and in words. */
export function Rating({ rating }: { rating: number }) {
  const word = RATING_LABELS[rating as RatingValue]
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden className="inline-flex">
        {RATINGS.map((each) => (
          <Star
            key={each}
            className={each <= rating ? 'size-3.5 fill-amber text-amber' : 'size-3.5 text-control'}
          />
        ))}
      </span>
      <span className="text-sm text-ink-2">
        <span className="sr-only">{rating} of 5, </span>
        {word}
      </span>
    </span>
  )
}
