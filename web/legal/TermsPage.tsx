import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Clause, LegalPage, Points } from './LegalPage.tsx'

export function TermsPage() {
  return (
    <LegalPage title="Terms & Conditions">
      <Clause title="The service">
        <p>
          Howl keeps your contacts, sends and receives email through a mailbox that you connect, helps you
          write, schedules meetings and makes invoices. You need an account to use it, and you are responsible
          for what is sent from it.
        </p>
      </Clause>
      <Clause title="Who may use it">
        <p>The service is for businesses. Children under 13 are excluded from the service.</p>
      </Clause>
      <Clause title="What you may send">
        <Points>
          <li>Write only to people you have a lawful reason to write to, and stop when they ask you to.</li>
          <li>No deceptive senders or subjects, no unlawful content, no malware.</li>
          <li>An unsubscribe is final: Howl refuses further bulk mail to that address.</li>
        </Points>
        <p>Accounts that break these rules can be banned.</p>
      </Clause>
      <Clause title="Payment">
        <p>
          Subscriptions are billed monthly or annually in advance and are non-refundable except as required by
          law and as our{' '}
          <Link to={paths.returns} className="text-link">
            Return & Refund Policy
          </Link>{' '}
          says. We announce a change of price 30 days before it takes effect. Service credits expire after 12
          months.
        </p>
      </Clause>
      <Clause title="Cancellation">
        <p>
          You can cancel at any time. Cancellation takes effect at the end of the billing period. Data is kept
          for 30 days after cancellation and then deleted.
        </p>
      </Clause>
      <Clause title="What the assistant writes">
        <p>
          Drafts, summaries and classifications come from a language model and can be wrong. Nothing is sent,
          deleted or changed on its word alone: you see the exact content and decide.
        </p>
      </Clause>
      <Clause title="Support">
        <p>Support hours are Monday to Friday, 9:00 AM to 6:00 PM EST.</p>
      </Clause>
    </LegalPage>
  )
}
