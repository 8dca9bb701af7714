"""Fills a store with generated episodes."""

import sqlite3

WORDS = (
    "Isostasy Moho Mantle Basalt Tide Seismograph Glacier Rift Fault Core Plume Granite Zircon "
    "Trench Magma Crust Fossil Reef Dune Delta Karst Lava Quartz Slate Coral Ocean Ridge Ice"
).split()
PODCASTS = [
    "Deep Time", "Field Notes", "Stone & Water", "The Long Now of Rocks", "Überblick",
    "حكايات الأرض",
]
SENTENCES = [
    "A needle, smoked paper, and the people who stayed up to change it.",
    "Why Stockholm rises, and the tide gauge that noticed.",
    "Living stone, still at it after three and a half billion years.",
    "What a wave that bends at forty kilometers says about the ground below.",
    "How a river finds the sea when the sea keeps moving.",
]
# Dates are stored as seconds since 2001.
EPOCH = 978_307_200


def fill(path, count, rng):
    """Replaces all episodes of a store."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute('DELETE FROM "Episode"')
        connection.executemany(
            'INSERT INTO "Episode" ("_moho_id", "id", "title", "summary", "kind", "publishedAt",'
            ' "url", "duration", "season", "podcast", "isPlayed")'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (episode(rng, row, count) for row in range(1, count + 1)))
    connection.close()


def episode(rng, row, count):
    spacing = 2 * 86_400 if count < 5_000 else 1_800
    date = 1_800_000_000 - row * spacing - rng.randrange(86_400)
    return (
        row, str(count - row + 1), " ".join(rng.sample(WORDS, 3)) if rng.random() > .02 else "",
        rng.choice(SENTENCES), "paid" if rng.random() < .1 else "free", float(date - EPOCH),
        f"https://deeptime.example/episodes/{row}", float(rng.randrange(600, 5_400)),
        None if rng.random() < .03 else 1 + (count - row) // max(24, count // 40),
        rng.choice(PODCASTS), int(rng.random() < .3))
