/**
 * Delivery reports about the user's mails are one row of the inbox. Of those that came before, only reports that led to
 * a suppression are known; they fold too, and stay read or unread as they are.
 */
export const deliveryReports = `
CREATE INDEX emails_reports ON emails (user_id, folder, occurred_at DESC, id DESC)
  WHERE collapse_key = 'delivery-reports';

UPDATE emails e SET collapse_key = 'delivery-reports'
FROM suppressions s
WHERE s.reason = 'bounced' AND e.user_id = s.user_id AND e.id = s.email_id AND e.direction = 'in' AND e.kind = 'report';
`
