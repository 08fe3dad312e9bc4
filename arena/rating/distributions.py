"""Student's t and the normal distribution, from scipy: imported only when a number is asked for."""


def t_quantile(probability: float, freedom: float) -> float:
    """The value that Student's t with `freedom` degrees of freedom stays below with `probability`."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def t_cdf(value: float, freedom: float) -> float:
    """Chance that Student's t with `freedom` degrees of freedom stays below `value`."""
    from scipy.special import stdtr

    return float(stdtr(freedom, value))


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with `probability`."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def normal_cdf(value: float) -> float:
    """Chance that a standard normal variable stays below `value`."""
    from scipy.special import ndtr

    return float(ndtr(value))
