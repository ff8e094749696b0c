import { ContactsDetail } from './details/ContactsDetail.tsx'
import { DraftDetail } from './details/DraftDetail.tsx'
import { InvoiceDetail } from './details/InvoiceDetail.tsx'
import { MeetingDetail } from './details/MeetingDetail.tsx'
import { RepliesDetail } from './details/RepliesDetail.tsx'
import { SequenceDetail } from './details/SequenceDetail.tsx'

/** The six things Howl does, each as a small working piece of itself. */
export function Details() {
  return (
    <section aria-labelledby="details" className="mx-auto max-w-300 px-4 md:px-6">
      <h2
        id="details"
        className="font-display text-xl font-medium tracking-tight md:text-[2.25rem] md:leading-tight"
      >
        Six things Howl does. Try each one here.
      </h2>
      <div className="mt-8 grid gap-4 lg:grid-cols-12 lg:gap-5">
        <ContactsDetail className="lg:col-span-7" />
        <DraftDetail className="lg:col-span-5" />
        <RepliesDetail className="lg:col-span-5" />
        <MeetingDetail className="lg:col-span-7" />
        <InvoiceDetail className="lg:col-span-7" />
        <SequenceDetail className="lg:col-span-5" />
      </div>
    </section>
  )
}
