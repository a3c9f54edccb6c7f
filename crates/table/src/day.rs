//! Days of the calendar.

use std::fmt::{self, Display, Formatter};

/// Day of the Gregorian calendar, which is applied to all years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

/// Number of days from March 1 of the year 0 to January 1, 1970.
const TO_1970: i32 = 719_468;

impl Day {
    /// Returns the day of this date, if it exists. Years start at 1.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Day> {
        let is_leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let length = match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(is_leap),
            1..=12 => 31,
            _ => return None,
        };
        let exists = year > 0 && (1..=length).contains(&day);
        exists.then_some(Day { year, month, day })
    }

    /// Returns the number of days from January 1, 1970 to this day.
    pub fn days_since_1970(self) -> i32 {
        // Years begin in March here, so that a leap day is the last day of a year. The months then
        // have 31 and 30 days in turn, and start over after each fifth.
        let (year, month) = match self.month {
            3.. => (i32::from(self.year), i32::from(self.month) - 3),
            _ => (i32::from(self.year) - 1, i32::from(self.month) + 9),
        };
        let before_month = (153 * month + 2) / 5;
        let before_year = 365 * year + year / 4 - year / 100 + year / 400;
        before_year + before_month + i32::from(self.day) - 1 - TO_1970
    }

    /// Returns the day as a number that [`Day::unpacked`] reads.
    pub(crate) fn packed(self) -> u32 {
        u32::from(self.year) << 16 | u32::from(self.month) << 8 | u32::from(self.day)
    }

    /// Returns the day of such a number.
    pub(crate) fn unpacked(packed: u32) -> Option<Day> {
        let [day, month, low, high] = packed.to_le_bytes();
        Day::new(u16::from_le_bytes([low, high]), month, day)
    }
}

impl Display for Day {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Day { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_without_gaps() {
        let years = 1..=2400;
        let months = |year| (1..=13).map(move |month| (year, month));
        let dates = years.flat_map(months);
        let days: Vec<Day> = dates
            .flat_map(|(year, month)| (0..=32).filter_map(move |day| Day::new(year, month, day)))
            .collect();
        // 97 leap years in 400
        assert_eq!(days.len(), 2400 * 365 + 6 * 97);
        for pair in days.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
            let [before, after] = [pair[0], pair[1]].map(Day::days_since_1970);
            assert_eq!(before + 1, after, "{pair:?}");
        }
        let check = |day: Option<Day>, since: i32, shown: &str| {
            let day = day.expect("a day");
            assert_eq!((day.days_since_1970(), day.to_string().as_str()), (since, shown));
            assert_eq!(Day::unpacked(day.packed()), Some(day));
        };
        check(Day::new(1970, 1, 1), 0, "1970-01-01");
        check(Day::new(2000, 2, 29), 11_016, "2000-02-29");
        check(Day::new(987, 6, 5), -358_878, "0987-06-05");
        assert_eq!(Day::new(1900, 2, 29), None);
        assert_eq!(Day::unpacked(u32::MAX), None);
    }
}
