/// The output of `episode-feed demo`.
enum DemoOutput {
  static let text = """
    Importing the first version of "Deep Time"
      inserted 30, updated 0, unchanged 0, deleted 0, skipped 0

    Season 3
    2026-05-05  130        41:50  The Seismograph
    2026-04-21  129        25:33  Isostasy for Beginners
    2026-04-07  128        44:16  Stromatolites at Shark Bay
    2026-03-24  127        27:59  Deep Water
    2026-03-10  126        46:42  Core and Mantle
    2026-02-24  125        30:25  Loess
    2026-02-10  124        49:08  The Year Without a Summer
    2026-01-27  123        32:51  Ophiolites
    2026-01-13  122        51:34  Cratons
    Season 2
    2025-06-10  121  paid  35:17  Questions from the Field, Part Two
    2025-05-27  120        54:00  Diamonds Are Late
    2025-05-13  119        37:43  Reading a Road Cut
    2025-04-29  118        56:26  Tsunami Sand
    2025-04-15  117        40:09  Ediacara
    2025-04-01  116        58:52  Karst
    2025-03-18  115        42:35  The Great Unconformity
    2025-03-04  114        26:18  Columns of Basalt
    2025-02-18  113        45:01  Drilling to the Mantle
    2025-02-04  112        28:44  Cinnabar and Mercury
    2025-01-21  111        47:27  Slow Earthquakes
    Season 1
    2024-06-11  110  paid  31:10  Questions from the Field, Part One
    2024-05-28  109        49:53  The Messinian Crisis
    2024-05-14  108        33:36  Pumice Rafts
    2024-04-30  107        52:19  Siccar Point
    2024-04-16  106        36:02  A River Turns Around
    2024-04-02  105        54:45  Varves
    2024-03-19  104        38:28  The Oldest Grains
    2024-03-05  103        57:11  Salt That Flows
    2024-02-20  102        40:54  What a Mountain Weighs
    2024-02-06  101        59:37  The Moho

    Importing the second version
      inserted 2, updated 5, unchanged 23, deleted 2, skipped 0

    Each changed row and each changed section is one record
      update section 0 3  12 not played, 7:35:37
      update section 1 2  9 not played, 6:39:32
      update section 2 1  9 not played, 7:00:19
      delete [1, 2]  119 "Reading a Road Cut"
      delete [2, 2]  108 "Pumice Rafts"
      insert [0, 0]  132 "The Sound of the Sea Floor"
      insert [0, 1]  131 "Glass from the Sky"
      move [0, 4] → [0, 2] changed title, publishedAt  126 "Two Blobs at the Core"
      move [0, 6] → [0, 3] changed publishedAt  124 "The Year Without a Summer"
      update [0, 2] → [0, 6] changed title  128 "Stromatolites"
      move [1, 0] → [0, 11] changed season  121 "Questions from the Field, Part Two"
      update [1, 8] → [1, 6] changed title, summary  113 "The Mohole"

    Season 3
    +   2026-06-16  132        33:10  The Sound of the Sea Floor
    +   2026-06-02  131        36:52  Glass from the Sky
    >~  2026-05-19  126        46:42  Two Blobs at the Core
    >   2026-05-05  124        49:08  The Year Without a Summer
        2026-05-05  130        41:50  The Seismograph
        2026-04-21  129        25:33  Isostasy for Beginners
    ~   2026-04-07  128        44:16  Stromatolites
        2026-03-24  127        27:59  Deep Water
        2026-02-24  125        30:25  Loess
        2026-01-27  123        32:51  Ophiolites
        2026-01-13  122        51:34  Cratons
    >   2025-06-10  121  paid  35:17  Questions from the Field, Part Two
    Season 2
        2025-05-27  120        54:00  Diamonds Are Late
        2025-04-29  118        56:26  Tsunami Sand
        2025-04-15  117        40:09  Ediacara
        2025-04-01  116        58:52  Karst
        2025-03-18  115        42:35  The Great Unconformity
        2025-03-04  114        26:18  Columns of Basalt
    ~   2025-02-18  113        45:01  The Mohole
        2025-02-04  112        28:44  Cinnabar and Mercury
        2025-01-21  111        47:27  Slow Earthquakes
    Season 1
        2024-06-11  110  paid  31:10  Questions from the Field, Part One
        2024-05-28  109        49:53  The Messinian Crisis
        2024-04-30  107        52:19  Siccar Point
        2024-04-16  106        36:02  A River Turns Around
        2024-04-02  105        54:45  Varves
        2024-03-19  104        38:28  The Oldest Grains
        2024-03-05  103        57:11  Salt That Flows
        2024-02-20  102        40:54  What a Mountain Weighs
        2024-02-06  101        59:37  The Moho

    + new   ~ changed   > moved   >~ moved and changed

    """
}
