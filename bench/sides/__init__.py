"""Sides that know regard. All run as `regard` itself does, the floor and the peers among them, too."""

from regard.process import settle

settle()
