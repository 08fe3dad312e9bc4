"""The games in the interfaces of other libraries: PettingZoo, Gymnasium, OpenSpiel.

Each library is an extra, `pip install "commerce-arena[pettingzoo]"`, imported when its module is imported.
"""
