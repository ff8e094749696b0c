import { Clause, LegalPage, Points } from './LegalPage.tsx'

export function PrivacyPage() {
  return (
    <LegalPage title="Privacy Policy">
      <Clause title="What is kept">
        <Points>
          <li>Your account: name, email address, company and what else you enter in your profile.</li>
          <li>
            Your work: contacts, emails, meetings, tasks, invoices and conversations with the assistant.
          </li>
          <li>Your mail settings. Mailbox passwords are stored encrypted and are never shown again.</li>
          <li>Where you are signed in, so that you can end a session that is not yours.</li>
        </Points>
      </Clause>
      <Clause title="Where it is kept">
        <p>
          On the machine of whoever runs this copy of Howl. Other users of it cannot see your data. Pages load
          no script, font or image from anybody else, and opening a mail loads nothing from elsewhere until
          you ask for it.
        </p>
      </Clause>
      <Clause title="Who else sees it">
        <Points>
          <li>Your own mail provider, since mail goes out and comes in through it.</li>
          <li>
            The language model that the operator connected, if any: the text needed for a draft, at the moment
            you ask.
          </li>
          <li>
            Administrators of this copy see account data and what abuse protection records, but not your
            mailbox password.
          </li>
        </Points>
      </Clause>
      <Clause title="How long">
        <p>
          As long as your account exists. Data is retained for 30 days after cancellation or deletion, so that
          a mistake can be undone, and then removed. Only a one-way fingerprint of addresses that unsubscribed
          stays, so that they are not written to again.
        </p>
      </Clause>
      <Clause title="Children">
        <p>Children under 13 are excluded from the service, and we do not knowingly keep data about them.</p>
      </Clause>
      <Clause title="Your rights">
        <p>
          You can see and correct your data, export your contacts, and delete your account yourself in Profile
          & Settings. For anything else, support answers Monday to Friday, 9:00 AM to 6:00 PM EST.
        </p>
      </Clause>
    </LegalPage>
  )
}
